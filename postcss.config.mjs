/** Enables Mantine's mixins and functions (`@mixin dark`, `rem()`, `alpha()`) in CSS modules. */
export default {
  plugins: {
    'postcss-preset-mantine': {},
  },
};
