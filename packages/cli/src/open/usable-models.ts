import { ok, type Result } from "@pith/kit";
import { loadAdmin, type Model } from "@pith/llm";
import type { Io } from "../io/io.ts";

/** Models that can be used now: those of vendors with a key, a login or a server. */
export async function usableModels({ env, home }: Pick<Io, "env" | "home">): Promise<Result<Model[], string>> {
  const { survey } = await loadAdmin();
  const surveyed = await survey({ env, home });
  if (!surveyed.ok) return surveyed;
  return ok(surveyed.value.vendors.flatMap(({ usable, models }) => (usable ? models : [])));
}
