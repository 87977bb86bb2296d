import { catalogSettings, feedSettings, historySettings, readCountSettings } from './catalog-settings.ts';
import { cacheSettings, limitSettings, logSettings, serverSettings } from './server-settings.ts';

/** Every setting under its heading of the help text. */
export const settingGroups = {
  Server: serverSettings,
  Catalogs: catalogSettings,
  History: historySettings,
  'Read counts': readCountSettings,
  Feeds: feedSettings,
  Caching: cacheSettings,
  Limits: limitSettings,
  Log: logSettings,
};

/** Every setting. `catalogDir` is an option in code, `--catalog-dir` on the command line, `CATALOG_DIR` in the environment. */
export const settings = {
  ...serverSettings,
  ...catalogSettings,
  ...historySettings,
  ...readCountSettings,
  ...feedSettings,
  ...cacheSettings,
  ...limitSettings,
  ...logSettings,
};

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];

/** The parsed value of every setting. */
export type Settings = {
  [Name in SettingName]: Exclude<ReturnType<(typeof settings)[Name]['parse']>, undefined>;
};
