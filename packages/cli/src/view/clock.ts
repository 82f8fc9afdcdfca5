/** The minute of a time, as the clock on the wall has it. */
export function minuteOf(time: number): string {
  const at = new Date(time);
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The day of a time, where the reader is. */
export function dayOf(time: number): string {
  const at = new Date(time);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export const dayAndMinute = (time: number): string => `${dayOf(time)} ${minuteOf(time)}`;

const two = (value: number): string => String(value).padStart(2, "0");
