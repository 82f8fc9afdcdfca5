import type { Clock } from "@pith/kit";
import type { Place } from "../../files/path.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import type { Router } from "../../url/router.ts";
import type { FindRg } from "../rg.ts";
import type { Display } from "./page.ts";

export interface ReadParts extends Place {
  snapshots: Snapshots;
  urls: Router;
  rg: FindRg;
  clock: Clock;
  display: Display;
  /** Lines that a read without a range brings. */
  defaultLimit: number;
  /** Whether long code is shown without the bodies of its functions. */
  summarize: "on" | "off";
}
