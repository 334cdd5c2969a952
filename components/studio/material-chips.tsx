'use client';

import { Button, CloseButton } from '@mantine/core';
import { IconAt } from '@tabler/icons-react';
import { Thumbnail } from '@/components/materials/thumbnail';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import type { MaterialPayload } from '@/lib/image-gen/schema';
import classes from './prompt-chips.module.css';
import { materialName } from './prompt-materials';

type MaterialChipsProps = {
  materials: MaterialPayload[];
  onChange: (materials: MaterialPayload[]) => void;
  /** Opens the dialog to find materials. */
  onFind: () => void;
};

/** Shows a chip for each chosen material and a button to find more. */
export function MaterialChips({ materials, onChange, onFind }: MaterialChipsProps) {
  // Removing a chip moves the focus to the next chip, which takes over the removed chip's React key. If there is no
  // next chip, the focus moves to the Materials button.
  const { ref: find, ...chipsFocus } = useKeptFocus<HTMLButtonElement>();
  return (
    <>
      <Button
        ref={find}
        size="compact-sm"
        radius="xl"
        variant="default"
        leftSection={<IconAt size={14} stroke={1.8} />}
        aria-haspopup="dialog"
        onClick={onFind}
      >
        Materials
      </Button>
      {materials.length > 0 && (
        <ul className={classes.materials} aria-label="Materials for this image" {...chipsFocus}>
          {materials.map((material, index) => (
            // The key is the index, because materials that are not from the library can have the same name and no id.
            // biome-ignore lint/suspicious/noArrayIndexKey: the chips have no state of their own.
            <li key={index} className={classes.material}>
              <Thumbnail src={material.imageUrl ?? ''} className={classes.swatch} />
              <span className={classes.materialName}>{materialName(material)}</span>
              <CloseButton
                size="xs"
                aria-label={`Remove ${materialName(material)}`}
                onClick={() => onChange(materials.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
