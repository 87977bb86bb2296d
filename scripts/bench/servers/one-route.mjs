// The smallest Fastify app.
import Fastify from 'fastify';
import { logListening } from './prepared.mjs';

const app = Fastify();
app.get('/', () => ({ hello: 'world' }));
await app.listen({ port: 0, host: '127.0.0.1' });
logListening(app.server);
