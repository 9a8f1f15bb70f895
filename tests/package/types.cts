// Compiled by tsc and never run: the types as a CommonJS user sees them.

import { estimateTokens } from 'stepfold';

export const tokens: number = estimateTokens([{ role: 'user', content: 'hi' }]);
