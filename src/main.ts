#!/usr/bin/env node
import './process/old-node.cjs';

// Not an import declaration, since an older Node.js would fail to parse the module before it runs the first line.
void import('./commands/run.ts').then(({ runCommandLine }) => runCommandLine(process.argv.slice(2)));
