import type { Clock } from "@pith/kit";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import type { Router } from "../../url/router.ts";
import type { Place } from "../place.ts";

export interface WriteParts extends Place {
  snapshots: Snapshots;
  urls: Router;
  clock: Clock;
  display: "hashline" | "numbered" | "plain";
  /** Whether files that say a program wrote them may be replaced. */
  generated: "refuse" | "allow";
}
