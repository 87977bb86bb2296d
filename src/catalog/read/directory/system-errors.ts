import { reasonOf } from '../../../messages.ts';

const NETWORK = 'the network drive does not answer: only your administrator can reconnect it';
const BUSY = 'the service cannot open any more files: only your administrator can change that';

/** Errors that mean the same for a file and for a folder. */
const common: Record<string, string> = {
  ESTALE: NETWORK,
  ETIMEDOUT: NETWORK,
  ENOTCONN: NETWORK,
  EHOSTDOWN: NETWORK,
  EHOSTUNREACH: NETWORK,
  EMFILE: BUSY,
  ENFILE: BUSY,
  ENOMEM: 'the machine is out of memory: only your administrator can change that',
};

const ofFiles: Record<string, string> = {
  ...common,
  ENOENT: 'this is a link to a file that does not exist: delete the link, and put the file itself here',
  ELOOP: 'this is a link that leads back to itself: delete the link, and put the file itself here',
  ENAMETOOLONG: 'this is a link to a name that is too long: delete the link, and put the file itself here',
  ENOTDIR:
    'this is a link into something that is not a folder: delete the link, and put the file itself here',
  EACCES:
    'the service is not permitted to read this file: only your administrator can change its permissions',
  EPERM: 'the service is not permitted to read this file: only your administrator can change its permissions',
  EBUSY: 'another program has locked this file: close the file there',
  EIO: 'the disk cannot read this file: save the file again, or ask your administrator to check the disk',
};

const ofFolders: Record<string, string> = {
  ...common,
  ENOENT: 'this folder does not exist: create it, or ask your administrator to correct CATALOG_DIR',
  ENOTDIR: 'this is not a folder: only your administrator can correct CATALOG_DIR',
  ELOOP: 'this is a link that leads back to itself: only your administrator can correct it',
  ENAMETOOLONG: 'the name of this folder is too long: only your administrator can correct CATALOG_DIR',
  EACCES:
    'the service is not permitted to read this folder: only your administrator can change its permissions',
  EPERM:
    'the service is not permitted to read this folder: only your administrator can change its permissions',
  EIO: 'the disk cannot read this folder: only your administrator can check the disk',
};

/** What is wrong and what to do if the system cannot read a catalog file, for editors and without a path. */
export function fileError(error: unknown): string {
  const remedy = 'save it again, or ask your administrator to check it';
  return ofFiles[codeOf(error)] ?? `this file cannot be read (${reasonOf(error)}): ${remedy}`;
}

/** The same for the folder of the catalog files. */
export function folderError(error: unknown): string {
  const remedy = 'ask your administrator to check it';
  return ofFolders[codeOf(error)] ?? `this folder cannot be read (${reasonOf(error)}): ${remedy}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
