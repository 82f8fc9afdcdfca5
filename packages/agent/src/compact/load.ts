/** What makes a conversation shorter, loaded when one is too long. */
export const loadCompaction = () => import("./module.ts");
export type CompactionModule = Awaited<ReturnType<typeof loadCompaction>>;
