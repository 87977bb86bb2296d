#!/usr/bin/env node
import { runCommandLine } from './commands/run.ts';

void runCommandLine(process.argv.slice(2));
