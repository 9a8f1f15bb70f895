// Builds the workflow bundle of the folder it is run in, by the builder that the Workflow SDK's integrations use.

import { BaseBuilder, createBaseBuilderConfig } from '@workflow/builders';
import { join } from 'node:path';

const folder = process.cwd();

class Builder extends BaseBuilder {
  async build() {
    const [stepsOutfile, flowOutfile] = ['steps.mjs', 'flow.mjs'].map((name) => join(folder, 'bundle', name));
    await this.createCombinedBundle({ inputFiles: await this.getInputFiles(), stepsOutfile, flowOutfile, bundleFinalOutput: true });
  }
}

await new Builder({ ...createBaseBuilderConfig({ workingDir: folder, dirs: ['workflows'] }), buildTarget: 'standalone' }).build();
