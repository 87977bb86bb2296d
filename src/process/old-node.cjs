// Ends the program on a Node.js that is older than it needs. Such a Node has to be able to read this file, so it has no
// imports and no new syntax. `npm start` runs it before the build.
const version = process.versions.node;
const [major = 0, minor = 0] = version.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 20)) {
  console.error(
    `Vitrine needs Node.js 20.20 or newer; this is ${version}. Get a newer one from https://nodejs.org.`,
  );
  process.exit(1);
}
