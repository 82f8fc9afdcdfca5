import type { Checkpoint, Checkpoints } from "../part/rewind/checkpoints.ts";

/** Checkpoints of a conversation that is not there. */
export function memoryCheckpoints(): Checkpoints & { reports: string[] } {
  let open: Checkpoint | undefined;
  const reports: string[] = [];
  return {
    reports,
    active: () => open,
    open: (checkpoint) => {
      open = checkpoint;
    },
    leave: (report) => void reports.push(report),
    goBack: () => {},
  };
}
