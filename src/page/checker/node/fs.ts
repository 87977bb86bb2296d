// yauzl asks for node:fs, and uses it only for archives in files.
export {};
