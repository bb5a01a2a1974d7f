import { expect, it } from "vitest";
import { ownerOf } from "./language-files.ts";

const FILES: Record<"program" | "installed" | "none", string[]> = {
  program: [
    "/srv/shop/src/cart.mjs",
    "src/cart.ts",
    "C:\\shop\\cart.js",
    "/srv/shop/app.py",
    "shop/cart.py",
    "/srv/shop/lib/cart.rb",
    "/srv/shop/src/Cart.php",
    "/srv/shop/cart.go",
    "/srv/go/src/github.com/acme/shop/cart.go",
    "example.com/shop/cart.go",
    "shop/cart.go",
    "src/main.rs",
    "/srv/shop/Cart.cs",
  ],
  installed: [
    "node:internal/modules/cjs/loader",
    "/srv/shop/node_modules/express/lib/router.js",
    "C:\\shop\\node_modules\\a\\b.js",
    "/srv/spanflame/dist-lib/record/context.js",
    "/usr/lib/python3.11/json/decoder.py",
    "/usr/lib/python3/dist-packages/requests/api.py",
    "/srv/.venv/lib/python3.12/site-packages/flask/app.py",
    "<frozen importlib._bootstrap>",
    "/usr/local/bundle/gems/rack-3.0/lib/rack.rb",
    "<internal:kernel>",
    "/srv/shop/vendor/symfony/http-kernel/Kernel.php",
    "/usr/local/go/src/net/http/server.go",
    "/opt/sdk/go1.23.1/src/runtime/malloc.go",
    "/srv/go/pkg/mod/github.com/gin-gonic/gin@v1.9.1/gin.go",
    "github.com/gin-gonic/gin@v1.9.1/gin.go",
    "net/http/server.go",
    "/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/core/src/iter.rs",
    "/srv/.cargo/registry/src/index-6f17d22bba15001f/serde-1.0.1/src/de.rs",
  ],
  none: ["Cart.java", "/srv/shop.jar", "libjvm.so", "cart.cpp", ""],
};

it.each(Object.entries(FILES))("%s", (owner, files) => {
  const wanted = owner === "none" ? null : owner;
  expect(Object.fromEntries(files.map((file) => [file, ownerOf(file)]))).toEqual(
    Object.fromEntries(files.map((file) => [file, wanted])),
  );
});
