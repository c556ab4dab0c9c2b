/** Times of a user in texts. */

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `2024 Nov 11, 4:20 PM`, in UTC. */
export const signInText = (time: Date | undefined): string => {
  if (!time) return 'N/A';
  const hours = time.getUTCHours();
  const minutes = String(time.getUTCMinutes()).padStart(2, '0');
  const date = `${time.getUTCFullYear()} ${months[time.getUTCMonth()]} ${time.getUTCDate()}`;
  return `${date}, ${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`;
};

export const timeOf = (stamp: number): string => new Date(Math.floor(stamp / 1000)).toISOString();
