'use client';

import { Anchor, Checkbox, Input, Text } from '@mantine/core';
import Link from 'next/link';
import { Thumbnail } from '@/components/materials/thumbnail';
import { useMaterialTray } from '@/components/materials/tray-provider';
import classes from './new-job-form.module.css';

type MaterialsFieldProps = {
  /** The ids of picked materials that are not used. */
  leftOut: string[];
  onChange: (leftOut: string[]) => void;
  error?: string;
};

/** The materials that the image should show: what lies in the tray, but for what is left out this time. */
export function MaterialsField({ leftOut, onChange, error }: MaterialsFieldProps) {
  const { materials } = useMaterialTray();
  const find = (
    <Anchor component={Link} href="/materials" inherit underline="always">
      material library
    </Anchor>
  );
  return (
    <Input.Wrapper label="Materials" labelElement="div" error={error} errorProps={{ role: 'alert' }}>
      <Text size="sm" c="dimmed">
        {materials.length === 0 ? (
          <>Nothing is picked. Pick materials in the {find}, and this image is made with them.</>
        ) : (
          <>What you picked in the {find}. Untick what this image should do without.</>
        )}
      </Text>
      {materials.length > 0 && (
        <ul className={classes.materials} aria-label="Picked materials">
          {materials.map(({ id, name, thumbnailUrl }) => {
            const used = !leftOut.includes(id);
            return (
              <li key={id}>
                {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is within. */}
                <label className={classes.material} data-used={used}>
                  <Thumbnail src={thumbnailUrl} className={classes.swatch} />
                  <span className={classes.materialName}>{name}</span>
                  <Checkbox
                    checked={used}
                    onChange={() =>
                      onChange(used ? [...leftOut, id] : leftOut.filter((other) => other !== id))
                    }
                  />
                </label>
              </li>
            );
          })}
        </ul>
      )}
    </Input.Wrapper>
  );
}
