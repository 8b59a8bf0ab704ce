import { legibleJson } from '../../../common/text.ts';
import type { Matrix } from '../../result/matrix.ts';
import { htmlMatrix } from './html.ts';
import { markdownMatrix } from './text.ts';

/** Every report on a fleet that is written to a file, by the name of the file. */
export const MATRIX_FILES = {
  'matrix.json': (matrix: Matrix) => legibleJson(matrix),
  'matrix.html': htmlMatrix,
  'matrix.md': markdownMatrix,
} as const satisfies Readonly<Record<string, (matrix: Matrix) => string>>;
