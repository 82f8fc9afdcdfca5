/** An id for a native call that came without one. */
export const newCallId = (): string => `call_n${hex().slice(1)}`;

/** An id for a call that was written as text; a record tells it from native ones by its form. */
export const newTextCallId = (): string => `call_${hex()}`;
export const isTextCallId = (id: string): boolean => /^call_[0-9a-f]{32}$/.test(id);

const hex = (): string => crypto.randomUUID().replaceAll("-", "");

export interface CallIdRule {
  /** Ids that may stay as they are. */
  valid: RegExp;
  /** Characters that are removed. */
  unfit: RegExp;
  length: number;
}

/** A call id in the form that the server accepts. A changed id ends with a hash, so that two ids never become equal. */
export function callId(id: string, rule: CallIdRule): string {
  // The Responses protocol appends its item id behind a bar.
  const bar = id.indexOf("|");
  const callPart = bar === -1 ? id : id.slice(0, bar);
  if (rule.valid.test(callPart)) return callPart;
  const mark = digest(callPart).slice(-rule.length);
  return callPart.replace(rule.unfit, "").slice(0, rule.length - mark.length) + mark;
}

/** A hash of eleven letters and digits (53 bits); ids are not secrets. */
function digest(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36).padStart(11, "0");
}
