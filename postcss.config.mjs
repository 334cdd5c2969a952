/** Enables Mantine's CSS mixins and functions, such as `light-dark()`. */
export default {
  plugins: {
    'postcss-preset-mantine': {},
  },
};
