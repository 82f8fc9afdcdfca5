/** An id for a call that came without one. */
export const newCallId = (): string => `call_${crypto.randomUUID().replaceAll("-", "")}`;
