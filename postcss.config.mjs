/** Mantine's mixins and functions (`@mixin dark`, `rem()`, `alpha()`) for our CSS modules. */
export default {
  plugins: {
    'postcss-preset-mantine': {},
  },
};
