// What server and page say to each other: messages with the agent's tools, and stepfold's events as transient data parts.

import type { InferUITools, UIMessage } from 'ai';
import type { StepfoldData } from 'stepfold/ui';
import type { tools } from './tools';

export type ChatMessage = UIMessage<never, { stepfold: StepfoldData }, InferUITools<typeof tools>>;
