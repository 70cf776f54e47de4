; Windows installer of GPT Studio for one user, without administrator rights; compiled by NSIS 3.08 or newer.
; packaging/windows/__init__.py defines: VERSION, VERSION4 (four numbers), LISTS (AddFiles, RemoveFiles, RemoveFolders),
; LONGEST (characters of the longest path in the program's folder), KILOBYTES and OUT; optionally TARGET, ICON and SIGN.
;
; Silent: /S, with /DESKTOP (with a shortcut on the desktop), /SETTINGS=FILE (a settings.toml to copy next to the program),
; /LANG=1033 or 2052, and /D=FOLDER (last, without quotes).
; Exit codes: 0 success, 1 cancelled, 2 some files could not be written or removed, 3 the program is running,
; 4 this Windows is not supported, 5 the path of the folder is too long, 6 the settings file does not exist.

Unicode true
!ifdef TARGET
  Target ${TARGET}
!endif
!define NAME "GPT Studio"
!define PUBLISHER "The GPT Studio authors"
!define PROGRAM "gptstudio.exe"
!define UNINSTALLER "uninstall.exe"
!define INSTALLED "Software\Microsoft\Windows\CurrentVersion\Uninstall\gptstudio"
!define CLASSES "Software\Classes"
!define LESSON "GPTStudio.Lesson"
!define MOST_CHARACTERS 259 ; of a path, unless Windows is configured for longer ones

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${INSTALLED}" "InstallLocation"
RequestExecutionLevel user
ManifestDPIAware true
SetCompressor /SOLID lzma
SetCompressorDictSize 64
SetOverwrite on
AllowSkipFiles off
BrandingText "${NAME} ${VERSION}"
!ifdef SIGN
  !uninstfinalize '${SIGN} "%1"' = 0
  !finalize '${SIGN} "%1"' = 0
!endif

!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"
!include "WinVer.nsh"
!include "x64.nsh"
!include "${LISTS}"

!ifdef ICON
  !define MUI_ICON "${ICON}"
  !define MUI_UNICON "${ICON}"
!endif
!define MUI_ABORTWARNING
!define MUI_LANGDLL_REGISTRY_ROOT HKCU
!define MUI_LANGDLL_REGISTRY_KEY "${INSTALLED}"
!define MUI_LANGDLL_REGISTRY_VALUENAME "Language"
!define MUI_FINISHPAGE_RUN "$INSTDIR\${PROGRAM}"
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE RefuseLongPath
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!include "words.nsh"

VIProductVersion "${VERSION4}"
!macro VersionWords LANGUAGE
  VIAddVersionKey /LANG=${LANGUAGE} "ProductName" "${NAME}"
  VIAddVersionKey /LANG=${LANGUAGE} "ProductVersion" "${VERSION}"
  VIAddVersionKey /LANG=${LANGUAGE} "FileVersion" "${VERSION}"
  VIAddVersionKey /LANG=${LANGUAGE} "FileDescription" "${NAME} Setup"
  VIAddVersionKey /LANG=${LANGUAGE} "CompanyName" "${PUBLISHER}"
  VIAddVersionKey /LANG=${LANGUAGE} "LegalCopyright" "MIT License, ${PUBLISHER}"
!macroend
!insertmacro VersionWords ${LANG_ENGLISH}
!insertmacro VersionWords ${LANG_SIMPCHINESE}

Var Settings ; path of /SETTINGS=
Var Older   ; folder of the installed version
Var Writing ; whether files are being written, which a failure must remove
Var Upgrade ; in the uninstaller: whether a newer version will be installed

; Shows a message and quits with an exit code.
!macro Refuse WORDS CODE
  MessageBox MB_OK|MB_ICONSTOP "${WORDS}" /SD IDOK
  SetErrorLevel ${CODE}
  Quit
!macroend

; Asks to close the program until it can be opened for writing, which is impossible while it is running.
!macro RefuseWhileRunning FOLDER
  ${DoWhile} ${FileExists} "${FOLDER}\${PROGRAM}"
    ClearErrors
    FileOpen $0 "${FOLDER}\${PROGRAM}" a
    ${IfNot} ${Errors}
      FileClose $0
      ${ExitDo}
    ${EndIf}
    ${If} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNNING)" /SD IDCANCEL IDCANCEL`
      SetErrorLevel 3
      Quit
    ${EndIf}
  ${Loop}
!macroend

; Notifies Explorer of the file type of lessons.
!macro TellExplorer
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

!macro Unregister
  Delete "$SMPROGRAMS\${NAME}.lnk"
  Delete "$DESKTOP\${NAME}.lnk"
  DeleteRegKey HKCU "${INSTALLED}"
  DeleteRegKey HKCU "${CLASSES}\${LESSON}"
  DeleteRegKey HKCU "${CLASSES}\.gptlesson"
  DeleteRegValue HKCU "${CLASSES}\.toml\OpenWithProgids" "${LESSON}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.toml\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.toml"
  !insertmacro TellExplorer
!macroend

Section "!$(PROGRAM_PART)" ProgramPart
  SectionIn RO
  ReadRegStr $Older HKCU "${INSTALLED}" "InstallLocation"
  Call RemoveOlder
  StrCpy $Older $INSTDIR
  Call RemoveOlder
  StrCpy $Writing yes
  ClearErrors
  !insertmacro AddFiles
  ${If} $Settings != ""
    CopyFiles /SILENT "$Settings" "$INSTDIR\settings.toml"
  ${EndIf}
  WriteUninstaller "$INSTDIR\${UNINSTALLER}"
  ${If} ${Errors}
    Abort
  ${EndIf}
  StrCpy $Writing ""
  SetOutPath "$DOCUMENTS" ; the initial folder of file dialogs
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${PROGRAM}"
  ${If} ${FileExists} "$DESKTOP\${NAME}.lnk" ; of an older version, which may have been in another folder
    CreateShortcut "$DESKTOP\${NAME}.lnk" "$INSTDIR\${PROGRAM}"
  ${EndIf}
  Call Register
SectionEnd

Section /o "$(DESKTOP_PART)" DesktopPart
  SetOutPath "$DOCUMENTS"
  CreateShortcut "$DESKTOP\${NAME}.lnk" "$INSTDIR\${PROGRAM}"
SectionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${ProgramPart} "$(PROGRAM_WORDS)"
  !insertmacro MUI_DESCRIPTION_TEXT ${DesktopPart} "$(DESKTOP_WORDS)"
!insertmacro MUI_FUNCTION_DESCRIPTION_END

Function .onInit
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/LANG=" $R1
  ${If} ${Errors}
    !insertmacro MUI_LANGDLL_DISPLAY
  ${Else}
    StrCpy $LANGUAGE $R1
  ${EndIf}
  ClearErrors
  ${GetOptions} $R0 "/DESKTOP" $R1
  ${IfNot} ${Errors}
    !insertmacro SelectSection ${DesktopPart}
  ${EndIf}
  ${GetOptions} $R0 "/SETTINGS=" $Settings
  ${If} $Settings != ""
    GetFullPathName $0 $Settings ; empty if the file does not exist
    ${If} $0 == ""
      !insertmacro Refuse "$(NO_SETTINGS)" 6
    ${EndIf}
    StrCpy $Settings $0
  ${EndIf}
  ${IfNot} ${RunningX64}
  ${OrIfNot} ${AtLeastWin10}
    !insertmacro Refuse "$(WRONG_WINDOWS)" 4
  ${EndIf}
  ${If} ${Silent}
    Call RefuseLongPath
  ${EndIf}
FunctionEnd

Function RefuseLongPath
  StrLen $0 $INSTDIR
  IntOp $0 $0 + ${LONGEST}
  ${If} $0 > ${MOST_CHARACTERS}
    MessageBox MB_OK|MB_ICONSTOP "$(LONG_PATH)" /SD IDOK
    ${If} ${Silent}
      SetErrorLevel 5
      Quit
    ${EndIf}
    Abort ; keeps the page open
  ${EndIf}
FunctionEnd

; Runs the uninstaller of the version in $Older; all other files are kept.
Function RemoveOlder
  ${If} $Older == ""
  ${OrIfNot} ${FileExists} "$Older\${UNINSTALLER}"
    Return
  ${EndIf}
  !insertmacro RefuseWhileRunning "$Older"
  DetailPrint "$(REMOVING_OLDER)"
  ClearErrors
  ExecWait '"$Older\${UNINSTALLER}" /S /UPGRADE _?=$Older' $0 ; _?= makes it run in place, so that ExecWait waits for it
  ${If} ${Errors}
  ${OrIf} $0 <> 0
    !insertmacro Refuse "$(OLDER_STAYS)" 2
  ${EndIf}
  Delete "$Older\${UNINSTALLER}"
  RMDir "$Older"
FunctionEnd

Function Register
  WriteRegStr HKCU "${INSTALLED}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${INSTALLED}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${INSTALLED}" "DisplayIcon" "$INSTDIR\${PROGRAM},0"
  WriteRegStr HKCU "${INSTALLED}" "Publisher" "${PUBLISHER}"
  WriteRegStr HKCU "${INSTALLED}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${INSTALLED}" "UninstallString" '"$INSTDIR\${UNINSTALLER}"'
  WriteRegStr HKCU "${INSTALLED}" "QuietUninstallString" '"$INSTDIR\${UNINSTALLER}" /S'
  WriteRegStr HKCU "${INSTALLED}" "Language" "$LANGUAGE"
  WriteRegDWORD HKCU "${INSTALLED}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKCU "${INSTALLED}" "NoModify" 1
  WriteRegDWORD HKCU "${INSTALLED}" "NoRepair" 1
  WriteRegStr HKCU "${CLASSES}\${LESSON}" "" "$(LESSON_FILE)"
  WriteRegStr HKCU "${CLASSES}\${LESSON}\DefaultIcon" "" "$INSTDIR\${PROGRAM},0"
  WriteRegStr HKCU "${CLASSES}\${LESSON}\shell\open\command" "" '"$INSTDIR\${PROGRAM}" --lesson "%1"'
  WriteRegStr HKCU "${CLASSES}\.gptlesson" "" "${LESSON}"
  WriteRegStr HKCU "${CLASSES}\.toml\OpenWithProgids" "${LESSON}" "" ; in 'Open with' only, since other programs use TOML too
  !insertmacro TellExplorer
FunctionEnd

; Removes an incomplete program, also if the user cancelled or the disk is full.
Function .onInstFailed
  ${If} $Writing == yes
    !insertmacro RemoveFiles
    Delete "$INSTDIR\${UNINSTALLER}"
    SetOutPath "$TEMP" ; a folder in use cannot be removed
    !insertmacro RemoveFolders
    RMDir "$INSTDIR"
    !insertmacro Unregister ; of an older version, which was removed before
    MessageBox MB_OK|MB_ICONSTOP "$(INCOMPLETE)" /SD IDOK
    SetErrorLevel 2
  ${EndIf}
FunctionEnd

Section "Uninstall"
  !insertmacro RefuseWhileRunning "$INSTDIR"
  ClearErrors
  !insertmacro RemoveFiles
  ${If} ${Errors}
    !insertmacro Refuse "$(FILES_STAY)" 2
  ${EndIf}
  !insertmacro RemoveFolders
  ${If} $Upgrade == yes
    Return ; the newer version keeps or rewrites shortcuts, settings and registry entries
  ${EndIf}
  Delete "$INSTDIR\settings.toml"
  Delete "$INSTDIR\${UNINSTALLER}"
  RMDir "$INSTDIR"
  !insertmacro Unregister
SectionEnd

Function un.onInit
  !insertmacro MUI_UNGETLANGUAGE
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/UPGRADE" $R1
  ${IfNot} ${Errors}
    StrCpy $Upgrade yes
  ${EndIf}
FunctionEnd
