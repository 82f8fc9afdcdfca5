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
  /** The lines that a read without a range brings, and the bytes that any may bring; the model in charge decides. */
  room(): Room;
  /** With "on", long code is shown without the bodies of its functions. */
  summarize: "on" | "off";
}
