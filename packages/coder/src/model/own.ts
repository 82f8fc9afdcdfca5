import { ok } from "@pith/kit";
import { type Model, type Models, modelName, type Stream } from "@pith/llm";

/** A model that a program brings along. */
export type OwnModel = Partial<Model> & Pick<Model, "id"> & { stream: Stream };

/** Completes the model, and adds it to the others. */
export function withOwn({ stream, ...about }: OwnModel, others: Models): { model: Model; models: Models } {
  const model: Model = { ...unknownModel, name: about.id, ...about };
  const isOurs = (other: Model) => modelName(other) === modelName(model);
  const found = ok({ model, stream, near: true, priced: true, notes: [] });
  return {
    model,
    models: {
      ...others,
      resolve: async (name) => (name === undefined || name === modelName(model) ? found : others.resolve(name)),
      stream: (request, signal) => (isOurs(request.model) ? stream : others.stream)(request, signal),
      prepare: (request) => (isOurs(request.model) ? stream.prepare?.(request) : others.prepare(request)),
      near: (other) => isOurs(other) || others.near(other),
    },
  };
}

/** Fields of a model of which nothing else is known. */
export const unknownModel = {
  vendor: "own",
  api: "own",
  contextWindow: 200_000,
  maxOutput: 32_000,
  input: ["text"],
  reasoning: false,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  known: true,
} satisfies Partial<Model>;
