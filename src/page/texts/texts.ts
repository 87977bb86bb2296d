import { de } from './de.ts';
import { en, type Texts } from './en.ts';
import { zh } from './zh.ts';

/** The texts of the page in each language. All have the same keys. */
const languages = { en, de, zh } as const;

/** The first language of the reader that the page has, or else English. */
const language =
  navigator.languages
    .map(tag => tag.split('-')[0])
    .find((tag): tag is keyof typeof languages => tag !== undefined && tag in languages) ?? 'en';

/** For numbers and times: the reader's own variety of the language, or else the British one. */
export const locale = navigator.languages.find(tag => tag.split('-')[0] === language) ?? 'en-GB';

export const texts: Texts = languages[language];

document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;
