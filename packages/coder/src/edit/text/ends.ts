/** The number of items that two lists share at their beginning and, behind those, at their end. */
export interface Ends {
  head: number;
  tail: number;
}

export function sharedEnds(a: ArrayLike<string>, b: ArrayLike<string>): Ends {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return { head, tail };
}

/** The same of two texts, where no character of two halves is parted. */
export function sharedText(a: string, b: string): Ends {
  const { head, tail } = sharedEnds(a, b);
  const isHalf = (code: number, from: number) => code >= from && code < from + 0x400;
  return {
    head: isHalf(a.charCodeAt(head - 1), 0xd800) ? head - 1 : head,
    tail: isHalf(a.charCodeAt(a.length - tail), 0xdc00) ? tail - 1 : tail,
  };
}

/** Index of the first of sorted numbers that is not below `least`. */
export function firstFrom(sorted: readonly number[], least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
