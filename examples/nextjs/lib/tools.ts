// The agent's tools, and the reports it reads: 40 shifts of a pumping station, some 900 tokens each, made up here.

import { tool } from 'ai';
import { z } from 'zod';

export const REPORTS = 40;

const incidents = new Map([
  [4, 'pump 2 failed at 03:10 and was restarted by hand'],
  [15, 'the flow sensor of pump 1 was stuck at 71 %'],
  [23, 'pump 2 failed at 22:45, its seal was replaced'],
  [38, 'the backup generator did not start in the weekly test'],
]);

export const tools = {
  readReport: tool({
    description: `Reads the report of one shift, from 1 to ${REPORTS}.`,
    inputSchema: z.object({ number: z.number().int().min(1).max(REPORTS) }),
    execute: async ({ number }) => report(number),
  }),
  restartPump: tool({
    description: 'Restarts a pump of the station.',
    inputSchema: z.object({ pump: z.number().int().min(1).max(2) }),
    execute: async ({ pump }) => `Pump ${pump} runs again.`,
  }),
};

/** What the user is asked about first. */
export const toolApproval = { restartPump: 'user-approval' } as const;

function report(number: number): string {
  const lines = Array.from({ length: 24 }, (_, hour) => {
    const reading = (offset: number) => 60 + ((number * 31 + hour * 17 + offset) % 40);
    return `${String(hour).padStart(2, '0')}:00  pump 1 ${reading(3)} %  pump 2 ${reading(11)} %  inflow ${reading(7)} l/s  level ${reading(23)} cm  checked, nothing to do`;
  });
  const incident = incidents.get(number);
  return [`# Report of shift ${number}`, ...lines, incident === undefined ? 'No incident.' : `INCIDENT: ${incident}.`].join('\n');
}
