import type { MakePart } from "../hall/part.ts";
import { builtinSchemes } from "../url/builtin.ts";

/** The internal addresses that pith itself knows. */
export const addresses: MakePart<never> = () => ({ name: "addresses", urls: builtinSchemes.handlers });
