import type { Clock } from "@pith/kit";
import type { Place } from "../../files/path.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import type { Router } from "../../url/router.ts";

export interface WriteParts extends Place {
  snapshots: Snapshots;
  urls: Router;
  clock: Clock;
  display: "hashline" | "numbered" | "plain";
  /** Whether files that say a program wrote them may be replaced. */
  generated: "refuse" | "allow";
}
