import type { Clock } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import type { Snapshots } from "../../../snapshot/snapshot.ts";
import type { Display } from "../../../tools/display.ts";
import type { Router } from "../../../url/router.ts";
import type { Room } from "./page.ts";

export interface ReadOptions {
  files: Files;
  snapshots: Snapshots;
  urls: Router;
  clock: Clock;
  display: Display;
  /** Lines that a read without a range brings, and bytes that any may bring; the model in charge decides. */
  room(): Room;
  /** Whether long code is shown without the bodies of its functions. */
  summarize: "on" | "off";
}
