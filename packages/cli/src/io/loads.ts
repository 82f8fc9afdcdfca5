import { noteLoad } from "@pith/kit";

/** Tells every module that is asked for from here on (`PITH_TIMING=full`). */
export function watchLoads(): void {
  Bun.plugin({
    name: "loads",
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path, importer }) => {
        noteLoad(`${path} from ${importer}`);
        return undefined;
      });
    },
  });
}
