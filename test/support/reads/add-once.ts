import { openConnection } from '../../../src/reads/redis/connection.ts';
import { SCRIPTS } from './connections.ts';
import { keepingLog } from './stores.ts';

// Adds one read in a process of its own, since Node reads the certificates of its environment when it starts.
const [, , ...redisUrl] = process.argv;
const connection = await openConnection({ redisUrl, redisPrefix: 'vitrine' }, SCRIPTS, keepingLog());
const result = await connection.run('add', [7, 1]).catch(({ message }: Error) => message);
connection.close();
console.log(result);
