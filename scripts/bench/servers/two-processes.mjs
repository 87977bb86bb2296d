// node-http.mjs in two processes on one port, which share nothing else.
import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';

const PROCESSES = 2;

cluster.setupPrimary({ exec: fileURLToPath(new URL('node-http.mjs', import.meta.url)), silent: true });
let listening = 0;
cluster.on('listening', (_worker, { port }) => {
  listening += 1;
  if (listening === PROCESSES)
    console.log(JSON.stringify({ pid: process.pid, msg: `listening on http://127.0.0.1:${port}` }));
});
for (let count = 0; count < PROCESSES; count += 1) cluster.fork();
