import { schema as s } from "@pith/agent";

/** The schema of `paths`: a list, as the model is told; one alone is understood. */
export const pathList = (): s.Schema<string[]> => s.array(s.string());
