// The least that one can start with Fastify.
import Fastify from 'fastify';
import { tellListening } from './listening.mjs';

const app = Fastify();
app.get('/', () => ({ hello: 'world' }));
await app.listen({ port: 0, host: '127.0.0.1' });
tellListening(app.server);
