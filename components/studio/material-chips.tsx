'use client';

import { Button, CloseButton } from '@mantine/core';
import { IconAt } from '@tabler/icons-react';
import { useRef } from 'react';
import { Thumbnail } from '@/components/materials/thumbnail';
import type { MaterialPayload } from '@/lib/image-gen/schema';
import classes from './prompt-chips.module.css';
import { materialName } from './prompt-materials';

type MaterialChipsProps = {
  materials: MaterialPayload[];
  onChange: (materials: MaterialPayload[]) => void;
  /** Opens the dialog to find materials. */
  onFind: () => void;
};

/** A chip for each chosen material, and a button to find more. */
export function MaterialChips({ materials, onChange, onFind }: MaterialChipsProps) {
  const find = useRef<HTMLButtonElement>(null);
  const remove = (index: number) => {
    // The focus stays in its place, which is the next chip. The last chip has no next one.
    if (index === materials.length - 1) find.current?.focus();
    onChange(materials.toSpliced(index, 1));
  };
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
        <ul className={classes.materials} aria-label="Materials for this image">
          {materials.map((material, index) => (
            // Materials that are not from the library can have the same name and no id.
            // biome-ignore lint/suspicious/noArrayIndexKey: the chips have no state of their own.
            <li key={index} className={classes.material}>
              <Thumbnail src={material.imageUrl ?? ''} className={classes.swatch} />
              <span className={classes.materialName}>{materialName(material)}</span>
              <CloseButton
                size="xs"
                aria-label={`Remove ${materialName(material)}`}
                onClick={() => remove(index)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
