/** Preloaded with `node --import`: sets the clock of the process off by `CLOCK_DAYS`, and leaves monotonic clocks alone. */
const shift = Number(process.env.CLOCK_DAYS) * 24 * 3600 * 1000;
const realNow = Date.now;
const now = () => realNow() + shift;

const ShiftedDate = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: target => new target(now()).toString(),
});
ShiftedDate.now = now;
Reflect.set(globalThis, 'Date', ShiftedDate);
