#!/usr/bin/env node
import './process/old-node.cjs';

// Not an import declaration: an older Node could not read what it names, and would say so before the first line runs.
void import('./commands/run.ts').then(({ runCommandLine }) => runCommandLine(process.argv.slice(2)));
