import { noteLoad } from "@pith/kit";

/** Notes every module that is loaded from here on, for `PITH_TIMING=full`. */
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
