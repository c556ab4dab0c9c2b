/** The steps of a start, each with the seconds since the process began: `   43 s  building ...` */
const beatMs = 10_000;

export const say = (line) => console.log(`${String(Math.round(process.uptime())).padStart(5)} s  ${line}`);

/** Says what is being done, and every ten seconds that it goes on. A step that is over within `quietMs` is not named. */
export const step = async (title, work, quietMs = 0) => {
  const first = setTimeout(() => say(`${title} ...`), quietMs);
  const beat = setInterval(() => say(`still ${title}`), beatMs);
  try {
    return await work();
  } finally {
    clearTimeout(first);
    clearInterval(beat);
  }
};
