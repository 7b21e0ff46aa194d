/** A script for a page: lists the texts whose contrast is below 4.5 to 1, also those in shadow roots. */

export const lowContrast = `(() => {
  const channels = (color) => {
    const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ({ r, g, b }) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const backgroundOf = (element) => {
    for (let one = element; one; one = one.parentElement ?? one.getRootNode().host) {
      const color = channels(getComputedStyle(one).backgroundColor);
      if (color.a === 1) return color;
    }
    return { r: 255, g: 255, b: 255 };
  };
  const elements = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? elements(one.shadowRoot) : [])]);
  return elements(document.body)
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .filter((one) => one.checkVisibility() && !one.disabled && one.tagName !== 'STYLE' && one.tagName !== 'NOSCRIPT')
    .flatMap((one) => {
      const [a, b] = [luminance(channels(getComputedStyle(one).color)), luminance(backgroundOf(one))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      return contrast < 4.5 ? [one.tagName + '.' + one.className + ' ' + one.textContent.slice(0, 30) + ' ' + contrast.toFixed(2)] : [];
    });
})()`;
