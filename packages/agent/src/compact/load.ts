/** What makes a conversation shorter, loaded when one is too long. */
export const loadCompaction = () => import("./front.ts");
export type Compaction = Awaited<ReturnType<typeof loadCompaction>>;
