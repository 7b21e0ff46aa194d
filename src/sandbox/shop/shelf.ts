/** The words that a part of the shop's products is made of. */

export interface Shelf {
  category: string;
  brands: string[];
  /** What it is, with its lowest and highest price in US dollars. */
  goods: [name: string, lowest: number, highest: number][];
  styles: string[];
  purposes: string[];
}
