import type { Healer, Healing } from "./heal/healing.ts";

export type { Healer, Healing };

/** Loads the repair of histories, needed only after a server has refused one. */
export const loadHealing = () => import("./heal/healing.ts");
