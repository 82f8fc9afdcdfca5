import type { Result } from "@pith/kit";

/** Where ripgrep is; looked up when it is first needed. */
export type FindRg = () => Promise<Result<string, "missing">>;
