/** Loads compaction, which only a long conversation needs. */
export const loadCompaction = () => import("./module.ts");
export type CompactionModule = Awaited<ReturnType<typeof loadCompaction>>;
