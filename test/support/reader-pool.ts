import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

// Who imports this shares reader processes among the loaders of its test file: a reader that one loader closes serves the
// next. A start takes 0.2 s of CPU, and a reader takes any number of tasks, one after the other.

const { fork } = childProcess;
/** Readers that no loader has, by the arguments of `fork`. */
const idle = new Map<string, ChildProcess[]>();

childProcess.fork = ((...args: Parameters<typeof fork>) => {
  const key = JSON.stringify(args);
  // One with an input has its form for good.
  if (key.includes('"pipe"')) return fork(...args);
  const readers = idle.get(key) ?? [];
  idle.set(key, readers);
  const reader = readers.pop() ?? fork(...args);
  let isReturned = false;
  const own = {
    disconnect() {
      // It listens while the reader works.
      if (reader.killed || reader.listenerCount('message') > 0) return reader.disconnect();
      isReturned = true;
      reader.removeAllListeners();
      readers.push(reader);
    },
    kill: (signal: NodeJS.Signals) => !isReturned && reader.kill(signal),
  };
  return new Proxy(reader, {
    get(_, name) {
      if (name === 'connected') return !isReturned && reader.connected;
      const value = Reflect.get(own, name) ?? Reflect.get(reader, name);
      return typeof value === 'function' ? value.bind(reader) : value;
    },
  });
}) as typeof fork;
syncBuiltinESMExports();
