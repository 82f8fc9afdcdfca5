{
  description = "pith, a coding agent for the terminal";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      files = {
        x86_64-linux = {
          name = "pith-linux-x64";
          sha256 = "{{sha256 pith-linux-x64}}";
        };
        aarch64-linux = {
          name = "pith-linux-arm64";
          sha256 = "{{sha256 pith-linux-arm64}}";
        };
        x86_64-darwin = {
          name = "pith-darwin-x64";
          sha256 = "{{sha256 pith-darwin-x64}}";
        };
        aarch64-darwin = {
          name = "pith-darwin-arm64";
          sha256 = "{{sha256 pith-darwin-arm64}}";
        };
      };
      packageFor =
        system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
          file = files.${system};
          onLinux = pkgs.stdenv.hostPlatform.isLinux;
        in
        pkgs.stdenv.mkDerivation {
          pname = "pith";
          version = "{{version}}";
          src = pkgs.fetchurl {
            url = "https://github.com/pith-agent/pith/releases/download/v{{version}}/${file.name}";
            inherit (file) sha256;
          };
          dontUnpack = true;
          # What follows the runtime in the file would be lost.
          dontStrip = true;
          nativeBuildInputs = pkgs.lib.optionals onLinux [
            pkgs.autoPatchelfHook
            pkgs.makeWrapper
          ];
          installPhase = ''
            install -Dm755 $src $out/bin/pith
          '';
          postFixup = pkgs.lib.optionalString onLinux ''
            wrapProgram $out/bin/pith --suffix PATH : ${
              pkgs.lib.makeBinPath [
                pkgs.bash
                pkgs.git
                pkgs.bubblewrap
              ]
            }
          '';
          meta = {
            description = "Coding agent for the terminal";
            homepage = "https://github.com/pith-agent/pith";
            license = pkgs.lib.licenses.mit;
            mainProgram = "pith";
          };
        };
    in
    {
      packages = builtins.mapAttrs (system: _: { default = packageFor system; }) files;
    };
}
