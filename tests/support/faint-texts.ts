/** Contrast ratio that WCAG 2.2 AA requires for text. */
export const CONTRAST_MIN = 4.5;

/** Texts whose contrast with their background is below `least`. Runs in the page. */
export function faintTexts(least: number): string[] {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  const known = new Map<string, number[]>();
  const drawn = (colour: string) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  // A page has few colours, and reading one from a canvas is slow.
  const rgb = (colour: string) =>
    known.get(colour) ?? known.set(colour, drawn(colour)).get(colour)!;
  const luminance = (colour: number[]) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => {
      const part = colour[at]! / 255;
      return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0);
  const behind = (found: Element): number[] => {
    const colour = rgb(getComputedStyle(found).backgroundColor);
    return colour[3] === 255 || found.parentElement === null ? colour : behind(found.parentElement);
  };
  const written = [...document.querySelectorAll('main *')].filter(
    (found) =>
      found.closest('[aria-hidden]') === null &&
      [...found.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim() !== ''),
  );
  return written.flatMap((found) => {
    const [one, other] = [luminance(rgb(getComputedStyle(found).color)), luminance(behind(found))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    return contrast < least ? [`${found.textContent}: ${contrast.toFixed(2)}`] : [];
  });
}
